import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLAGS } from '../../src/cli/options.ts';
import { MODES, PLATFORM_MODES, readOutputTable } from '../catalog.ts';
import { renderConfigSchema } from './config-schema.ts';
import { renderExplanations } from './explanations.ts';
import { renderGiteaAction } from './gitea-action.ts';
import { readPageTexts } from './page-texts.ts';
import { writePublishedNames } from './published.ts';
import { fillRegions } from './regions.ts';
import { secretLines } from './secret-lines.ts';
import { type DocsSource, type Explained, readDocsSource } from './source.ts';

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
    ...CONFIG_MAPS.map((path): [string, string] => [
      path,
      fillConfigMap(readFileSync(join(root, path), 'utf8'), source.webServer('nginx.conf')),
    ]),
    // Not a page of the documentation: it has one generated part, and no other.
    [
      'SECURITY.md',
      fillRegions('SECURITY.md', readFileSync(join(root, 'SECURITY.md'), 'utf8'), () =>
        secretLines(root),
      ),
    ],
    ['Dockerfile', writePublishedNames(readFileSync(join(root, 'Dockerfile'), 'utf8'))],
    ['src/run/explanations.ts', renderExplanations(source)],
    ['schemas/docs-courier.schema.json', renderConfigSchema(source.inputs)],
    ['action-types.yml', renderOutputTypes(root)],
    ['gitea/action.yml', renderGiteaAction(readFileSync(join(root, 'action.yml'), 'utf8'))],
  ]);
}

/** The types of inputs as they are, and below them those of the outputs, from their table. */
function renderOutputTypes(root: string): string {
  const [inputs] = readFileSync(join(root, 'action-types.yml'), 'utf8').split(/^outputs:\n/m);
  const rows = Object.entries(readOutputTable(root)).flatMap(([name, entry]) => {
    const values = (entry['allowed-values'] ?? []).map((value) => `      - ${value}`);
    if (values.length > 0) values.unshift('    allowed-values:');
    return [`  ${name}:`, `    type: ${entry.type}`, ...values];
  });
  return [`${inputs}outputs:`, ...rows, ''].join('\n');
}

/** Their last part is a ConfigMap with the configuration of the web server. */
const CONFIG_MAPS = ['examples/kubernetes/docs.yaml', 'examples/chart/templates/web-server.yaml'];

/** Writes the configuration behind its name, to the end of the file. */
function fillConfigMap(text: string, configuration: string): string {
  const name = '  default.conf: |\n';
  const [before, after] = text.split(name);
  if (after === undefined) throw new Error('A manifest has no default.conf');
  return before + name + configuration.replace(/^(?=.)/gm, '    ');
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
      return pick(names, source.inputs).map(explainInput).join('\n\n');
    case 'outputs':
      return pick(names, source.outputs).map(explainOutput).join('\n\n');
    case 'errors':
      return explainErrors(names, source);
    case 'example':
      return codeBlock('yaml', source.example(names[0] ?? ''));
    case 'web-server':
      return webServerBlock(names[0] ?? '', source);
    case 'permissions':
      return explainPermissions(source);
    case 'permission':
      return renderPermission(names[0] ?? '', source);
    case 'app-links':
      return formLinks('An App', 'app', source);
    case 'token-links':
      return formLinks('A token', 'token', source);
    case 'input-table':
      return inputTable(source);
    case 'report':
      return explainReport(names, source);
    case 'flags':
      return explainFlags();
    default:
      throw new Error(`The part "${part}" does not exist`);
  }
}

/** Fields of the report by their names. */
function explainReport(names: readonly string[], { report }: DocsSource): string {
  const rows = pick(names, report).map(({ name, text }) => [`\`${name}\``, text]);
  return table(['Field', 'Meaning'], rows);
}

/** Flags that are not inputs; those of the inputs are in the pages about inputs. */
function explainFlags(): string {
  const rows = [...FLAGS.values()].flatMap(({ name, value, text }) => {
    const flag = `\`--${name}${value === undefined ? '' : ` ${value}`}\``;
    return text === undefined ? [] : [[flag, text]];
  });
  return table(['Flag', 'Meaning'], rows);
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

function webServerBlock(name: string, { webServer }: DocsSource): string {
  // No highlighter knows the language of Caddy.
  return codeBlock(name === 'nginx.conf' ? 'nginx' : 'text', webServer(name));
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
  return entry.default === '' ? '' : `\`${entry.default}\``;
}

function explainInput(entry: Explained): string {
  const facts = [
    ...(modeGroup(entry) === 'Several modes' ? [modesLine(entry)] : []),
    ...(entry.required ? ['Required'] : []),
    ...(entry.default === '' ? [] : [`Default: ${defaultText(entry)}`]),
  ];
  const parts = [`### \`${entry.name}\``, facts.join(' · '), entry.text, entry.extra];
  return parts.filter((part) => part !== '').join('\n\n');
}

function explainOutput(entry: Explained): string {
  const modes = modeGroup(entry) === 'Several modes' ? [modesLine(entry)] : [];
  return [`### Output \`${entry.name}\``, ...modes, entry.text, entry.extra].join('\n\n');
}

function modesLine(entry: Explained): string {
  return `Modes: ${modeNames(entry)}`;
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

/** The modes that share an export and its destinations. */
const EXPORT_MODES = ['export', 'refresh', 'rollback'];

/**
 * Every input once, with the first sentence of its description and a link: those of every mode, of
 * several modes, and of one mode.
 */
function inputTable({ inputs, pageOf }: DocsSource): string {
  const row = (entry: Explained) => [
    `[\`${entry.name}\`](${pageOf('inputs', entry.name)}#${entry.name})`,
    defaultText(entry),
    firstSentence(entry.text),
  ];
  const groups = Map.groupBy(inputs, modeGroup);
  return ['Every mode', 'Several modes', SHARED, ...MODES.map((mode) => `Mode \`${mode}\``)]
    .filter((title) => groups.has(title))
    .map((title) => {
      const entries = groups.get(title) ?? [];
      if (title !== 'Several modes')
        return `## ${title}\n\n${table(['Input', 'Default', 'Meaning'], entries.map(row))}`;
      const rows = entries.map((entry) => {
        const [name = '', ...cells] = row(entry);
        return [name, modeNames(entry), ...cells];
      });
      return `## ${title}\n\n${table(['Input', 'Modes', 'Default', 'Meaning'], rows)}`;
    })
    .join('\n\n');
}

const SHARED = `Modes ${EXPORT_MODES.map((mode) => `\`${mode}\``).join(', ')}`;

function modeGroup({ modes }: Explained): string {
  if (modes.length === MODES.length || isOfPlatform(modes)) return 'Every mode';
  // Doctor accepts the inputs of the step that it checks, and has none of its own.
  if (modes.length === 1) return `Mode \`${modes[0]}\``;
  return EXPORT_MODES.join() === modes.join() ? SHARED : 'Several modes';
}

function firstSentence(text: string): string {
  return /^.+?[.)](?= [A-Z`]|$)/s.exec(text)?.[0] ?? text;
}

function explainPermissions(source: DocsSource): string {
  return source.permissions
    .map(({ scope }) => [`### Scope \`${scope}\``, renderPermission(scope, source)].join('\n\n'))
    .join('\n\n');
}

function renderPermission(scope: string, { permissions }: DocsSource): string {
  const entry = permissions.find((candidate) => candidate.scope === scope);
  if (entry === undefined) throw new Error(`The scope ${scope} does not exist`);
  const form = `[A form for such an App](${entry.forms.app}), filled in except for the name.`;
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
