import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, FLAGS, RUNS } from '../../src/cli/options.ts';
import { MODES, PLATFORM_MODES } from '../catalog.ts';
import { renderConfigSchema } from './config-schema.ts';
import { renderGiteaAction } from './gitea-action.ts';
import { readPageTexts } from './page-texts.ts';
import { writePublishedNames } from './published.ts';
import { fillRegions } from './regions.ts';
import { type DocsSource, type Explained, type ReportField, readDocsSource } from './source.ts';

/** Path below the root (with `/`) to its text. Reads files, writes none. */
export function renderDocs(root: string): ReadonlyMap<string, string> {
  const texts = readPageTexts(root);
  const source = readDocsSource(root, texts);
  const pages = [...texts].map(([path, text]): [string, string] => [
    path,
    writePublishedNames(fillRegions(path, text, (words) => renderPart(words, source))),
  ]);
  return new Map([
    ...pages,
    ...readFolders(root, ['examples', 'templates', '.github/ISSUE_TEMPLATE']),
    ['Dockerfile', writePublishedNames(readFileSync(join(root, 'Dockerfile'), 'utf8'))],
    ['schemas/docs-courier.schema.json', renderConfigSchema(source.inputs)],
    ['gitea/action.yml', renderGiteaAction(readFileSync(join(root, 'action.yml'), 'utf8'))],
  ]);
}

/** The YAML files of these folders, with the published names. */
function readFolders(root: string, folders: readonly string[]): [string, string][] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.yml'))
    .map((path) => [path, writePublishedNames(readFileSync(join(root, path), 'utf8'))]);
}

/** A part is its name and its subject, such as `inputs mode base-url` or `example two-jobs.yml`. */
function renderPart(words: string, source: DocsSource): string {
  const [part, ...names] = words.split(' ');
  switch (part) {
    case 'inputs':
      return pick(names, source.inputs)
        .map((entry) => explainEntry(`\`${entry.name}\``, entry, true))
        .join('\n\n');
    case 'outputs':
      return pick(names, source.outputs)
        .map((entry) => explainEntry(`Output \`${entry.name}\``, entry, false))
        .join('\n\n');
    case 'errors':
      return explainErrors(names, source);
    case 'example':
      return codeBlock('yaml', source.example(names[0] ?? ''));
    case 'permissions':
      return explainPermissions(source);
    case 'permission':
      return renderPermission(names[0] ?? '', source);
    case 'app-links':
      return formLinks('An App', 'app', source);
    case 'token-links':
      return formLinks('A token', 'token', source);
    case 'input-links':
      return inputLinks(source);
    case 'output-links':
      return outputLinks(source);
    case 'error-links':
      return errorLinks(source);
    case 'report':
      return explainReport(names, source);
    case 'flags':
      return explainFlags();
    case 'emulator-inputs':
      return table(
        ['Input', 'Default', 'Meaning'],
        source.emulator.inputs.map((entry) => [
          `\`${entry.name}\``,
          defaultText(entry),
          entry.text,
        ]),
      );
    case 'emulator-outputs':
      return table(
        ['Output', 'Meaning'],
        source.emulator.outputs.map(({ name, text }) => [`\`${name}\``, text]),
      );
    default:
      throw new Error(`The part "${part}" does not exist`);
  }
}

/** The fields of the report that these modes write; `all`: those of every mode. */
function explainReport(modes: readonly string[], { report }: DocsSource): string {
  const isCommon = (field: ReportField) => field.modes.length === MODES.length;
  const fields = modes.includes('all')
    ? report.filter(isCommon)
    : report.filter(
        (field) => !isCommon(field) && field.modes.some((mode) => modes.includes(mode)),
      );
  const rows = fields.map((field) => [
    `\`${field.name}\``,
    field.type,
    ...(modes.length > 1 ? [modeNames(field)] : []),
    field.text,
  ]);
  return table(['Field', 'Type', ...(modes.length > 1 ? ['Modes'] : []), 'Meaning'], rows);
}

/** Flags that are not inputs; those of the inputs are in the pages about inputs. */
function explainFlags(): string {
  const rows = [...FLAGS.values()].flatMap(({ name, value, text, commands }) => {
    const flag = `\`--${name}${value === undefined ? '' : ` ${value}`}\``;
    return text === undefined ? [] : [[flag, takersOf(commands), text]];
  });
  return table(['Flag', 'Commands', 'Meaning'], rows);
}

function takersOf(commands: readonly string[]): string {
  if (commands === COMMANDS) return 'all';
  if (commands === RUNS) return 'all but `redirects` and `serve`';
  return commands.map((command) => `\`${command}\``).join(', ');
}

function pick<Entry extends { readonly name: string }>(
  names: readonly string[],
  entries: readonly Entry[],
): Entry[] {
  return names.map((name) => {
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry === undefined) throw new Error(`${name} is not in action.yml`);
    return entry;
  });
}

function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

function modeNames({ modes }: Pick<Explained, 'modes'>): string {
  if (modes.length === MODES.length) return 'all';
  return isOfPlatform(modes) ? 'all but `plan`' : modes.map((mode) => `\`${mode}\``).join(', ');
}

function isOfPlatform(modes: readonly string[]): boolean {
  return (
    modes.length === PLATFORM_MODES.length && PLATFORM_MODES.every((mode) => modes.includes(mode))
  );
}

function defaultText(entry: Pick<Explained, 'required' | 'default'>): string {
  if (entry.required) return 'required';
  return entry.default === '' ? 'none' : `\`${entry.default}\``;
}

function explainEntry(heading: string, entry: Explained, isInput: boolean): string {
  const names = modeNames(entry);
  const modes = names.startsWith('all') ? names.replace('all', 'All modes') : `Modes: ${names}`;
  const fallback = isInput
    ? entry.required
      ? ' · Required'
      : ` · Default: ${defaultText(entry)}`
    : '';
  return [`### ${heading}`, `${modes}${fallback}`, entry.text, entry.extra].join('\n\n');
}

function explainErrors(codes: readonly string[], { errors }: DocsSource): string {
  return codes
    .map((code) => {
      const entry = errors.find((candidate) => candidate.code === code);
      if (entry === undefined) throw new Error(`The error code ${code} does not exist`);
      const { cause, remedy, text } = entry;
      return [
        `### Error \`${code}\``,
        `**Cause.** ${cause}`,
        `**Remedy.** ${remedy}`,
        text.trim(),
      ].join('\n\n');
    })
    .join('\n\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * One table per mode, with each name linked to its explanation; inputs of every mode are only in a
 * separate table.
 */
function inputLinks({ inputs, pageOf }: DocsSource): string {
  const common = inputs.filter(({ modes }) => modes.length === MODES.length || isOfPlatform(modes));
  const own = inputs.filter((entry) => !common.includes(entry));
  const modes = MODES.filter((mode) => own.some((entry) => entry.modes.includes(mode)));
  const groups = [
    { title: 'Inputs of every mode', entries: common },
    ...modes.map((mode) => ({
      title: `Inputs of \`${mode}\` mode`,
      entries: own.filter((entry) => entry.modes.includes(mode)),
    })),
  ];
  return groups
    .map(({ title, entries }) => {
      const rows = entries.map((entry) => [
        `[\`${entry.name}\`](${pageOf('inputs', entry.name)}#${entry.name})`,
        defaultText(entry),
      ]);
      return `## ${title}\n\n${table(['Input', 'Default'], rows)}`;
    })
    .join('\n\n');
}

function outputLinks({ outputs, pageOf }: DocsSource): string {
  const rows = outputs.map((entry) => [
    `[\`${entry.name}\`](${pageOf('outputs', entry.name)}#output-${entry.name})`,
    modeNames(entry),
  ]);
  return table(['Output', 'Modes'], rows);
}

function errorLinks({ errors, pageOf }: DocsSource): string {
  const rows = errors.map(({ code, cause }) => [
    `[\`${code}\`](${pageOf('errors', code)}#error-${code})`,
    cause,
  ]);
  return table(['Code', 'Cause'], rows);
}

function explainPermissions(source: DocsSource): string {
  return source.permissions
    .map(({ scope }) => [`### Scope \`${scope}\``, renderPermission(scope, source)].join('\n\n'))
    .join('\n\n');
}

function renderPermission(scope: string, { permissions }: DocsSource): string {
  const entry = permissions.find((candidate) => candidate.scope === scope);
  if (entry === undefined) throw new Error(`The scope ${scope} does not exist`);
  const form = `GitHub's form for [a GitHub App with only these permissions](${entry.forms.app}) is filled in except for the name.`;
  return [
    `The App needs ${entry.settings}. ${entry.covers.trim()} ${form}`,
    codeBlock('yaml', entry.yaml),
  ].join('\n\n');
}

const PLACES: Readonly<Record<string, string>> = {
  environment: 'an environment',
  repository: 'a repository',
  organization: 'an organization',
};

/** A line for each scope: GitHub's form for an App or a token, filled in. */
function formLinks(what: string, kind: 'app' | 'token', { permissions }: DocsSource): string {
  return permissions
    .map(({ scope, forms }) => `- [${what} for the secret of ${PLACES[scope]}](${forms[kind]})`)
    .join('\n');
}
