import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import wrapAnsi from 'wrap-ansi';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ownPackage } from '../ground/release.ts';
import { groupBy } from '../ground/text/names.ts';
import { documentation } from '../run/report.ts';
import { INPUTS } from '../values/catalog.ts';
import { type Command, FLAGS, type Flag } from './options.ts';

const actionFile = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string() })),
});

const NARROW = 24;
const WIDE = 120;
/** For a file or a pipe. */
const USUAL = 100;
/** In front of the text of a flag. */
const INDENT = '      ';

/** Group, command, what it is for, the inputs that it cannot do without, and an example. */
const TABLE = `
Publish | export | export a site, and hand over the link to its bundle | base-url admin-api-key domain | --domain docs.example.com --to file:link.txt
Publish | refresh | make a fresh link for a finished export where the stored one expires soon | base-url admin-api-key to | --to file:link.txt
Publish | rollback | put the link of an earlier export back in place | base-url admin-api-key to | --to file:link.txt
Publish | publish | let the platform publish a project, or preview a branch of it | base-url admin-api-key project-id | --project-id PROJECT_ID --branch BRANCH
Publish | status | show what is live in a destination, or with --live-url at an address | base-url admin-api-key to | --to file:link.txt
Check | doctor | try everything that the given inputs need, and change nothing | base-url | --domain docs.example.com --to file:link.txt
Check | search | check the search of a published site | base-url assistant-api-key domain | docs-queries.yml --domain acme
Check | plan | name the sites of the configuration file that a change touches, as a matrix of jobs in JSON | config-file | --changed-since main
Check | changes | print the pages that changed from one site to another: folders, archives or manifests | | former.tar.gz site
Serve the site | redirects | write the redirects of an unpacked site for nginx or Caddy | site-path server | site --server nginx
Serve the site | serve | serve an unpacked site on this machine, to look at it | site-path | site
Instruct the docs agent | agent | send an instruction to the docs agent | base-url admin-api-key github-token project-id | --pull-request 12 "Document the new option"
Read on | explain | say what an error code means, and what to do | | config
At the prompt | completion | print what makes a shell complete commands and flags | shell | bash
Try it without an account | emulator | run the documentation platform on this machine, with no account | | --site acme=docs
`;
const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The row of a command. Each has one: the empty texts are for the compiler. */
function about(command: Command) {
  const [, , text = '', required = '', words = ''] = ROWS.find((row) => row[1] === command) ?? [];
  return { text, required: required.split(' '), example: `docs-courier ${command} ${words}` };
}

/**
 * The help of the program: the table with each group below its title, and examples. `columns`: the
 * width of the terminal.
 */
export function renderOverview(columns = USUAL): string {
  const commands: string[] = [];
  let group = '';
  for (const [title = '', name = '', text] of ROWS) {
    // The rows of a group follow one another.
    if (title !== group) commands.push(`${title}:`);
    group = title;
    commands.push(`  ${name.padEnd(12)}${text}`);
  }
  const examples = (['emulator', 'doctor', 'export'] as const).map(
    (name) => `  ${about(name).example}`,
  );
  const help = `Usage: docs-courier COMMAND [flags]

${commands.join('\n')}

Examples:
${examples.join('\n')}

Each input is a flag, a variable (--base-url, DOCS_COURIER_BASE_URL) and a key of docs-courier.yml.
A secret is a variable, or in a file (--admin-api-key-file FILE).
Every command takes --help (-h) and --quiet (-q), most --verbose and --json; --version (-v) shows the version.

The flags of a command: docs-courier help COMMAND
${readOn('reference/command-line.md')}`;
  return fitted(help, columns);
}

/** The line that leads to a page; empty until the page has an address. */
function readOn(page: string): string {
  const address = documentation(page);
  if (address === undefined) return '';
  return `Read on: ${address}\n`;
}

/** A command to copy: it stays one line, which the terminal wraps itself. */
const EXAMPLE = /^ +docs-courier /;

/** The help in lines that fit the terminal. A line continues below the last of its columns. */
function fitted(help: string, columns: number): string {
  const width = Math.min(WIDE, Math.max(NARROW, columns));
  const lines = help.split('\n').map((line) => {
    if (line.length <= width || EXAMPLE.test(line)) return line;
    const [start = ''] = /^ *(?:\S+ {2,})?/.exec(line) ?? [];
    const rest = wrapAnsi(line.slice(start.length), width - start.length);
    return start + rest.replaceAll('\n', `\n${' '.repeat(start.length)}`);
  });
  return lines.join('\n');
}

/** The groups of flags in the help of a command. A flag in none of them says how a run works. */
const FLAG_GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  [
    'What',
    /^(base-url|.*-api-key|domain|project-id|from|export-.*|base-path|config-file|site|branch|publish.*|quer.*|filter|agent-job-id|create-agent-job|prompt.*|pull-request|command|context|refresh-before|if-no-state|all|changed-since|site-path|server|code|compared|shell)$/,
  ],
  [
    'Where to',
    /^(to|to-command|state|secret-token|kubeconfig|vault-.*|aws-role|id-token-audience|take-over|image|bundle-path|extract-to|add|clean|.*-link|link-file|allow-.*|child-pipeline)$/,
  ],
  [
    'Checks',
    /^(verify|compare-with|m(in|ax)-.*|required-.*|forbid-.*|force|baseline-file|wait-for-index)$/,
  ],
  [
    'After it',
    /^(rollout.*|on-rollout-failure|live-.*|on-not-live|comment|status-comment|changes-page)$/,
  ],
];
const REST = 'How it runs';

/** The text of each input by its name, from action.yml in the folder of the package. */
export function readInputTexts(): ReadonlyMap<string, string> {
  const { inputs } = actionFile.parse(
    parse(readFileSync(join(ownPackage().folder, 'action.yml'), 'utf8')),
  );
  const texts = new Map<string, string>();
  // Without the modes in brackets at its start: the help is that of one command.
  for (const [name, input] of Object.entries(inputs))
    texts.set(name, input.description.replace(/^\[[^\]]*\] /, ''));
  return texts;
}

/** The help of a command. `columns`: the width of the terminal. */
export function renderHelp(command: Command, columns = USUAL): string {
  const { text, example, required } = about(command);
  const texts = readInputTexts();
  // By the input: the flag of a secret has another name, with `-file`.
  const isRequired = (flag: Flag) => required.includes(flag.input ?? flag.name);
  // In each group, the required flags come first.
  const ofCommand = [...FLAGS.values()].filter((flag) => flag.commands.includes(command));
  const optional = ofCommand.filter((flag) => !isRequired(flag));
  const flags = [...ofCommand.filter(isRequired), ...optional];
  const groups = groupBy(flags, groupOf);
  const parts = [`Usage: docs-courier ${command} [flags]`, `${text}.`, `  ${example}`];
  const hasInputs = flags.some((flag) => flag.input !== undefined);
  if (hasInputs)
    parts.push('Each input is a flag and a variable: --base-url is DOCS_COURIER_BASE_URL.');
  for (const title of [...FLAG_GROUPS.map((group) => group[0]), REST]) {
    const flagTexts = groups.get(title)?.map((flag) => {
      const mark = isRequired(flag) ? requiredMark(command, flag) : defaultMark(flag);
      const head = `  --${flag.name} ${flag.value ?? ''}`.trimEnd();
      return `${head}${mark}\n${INDENT}${sentenceOf(flag, texts)}`;
    });
    // Not every command has flags of each group.
    if (flagTexts !== undefined) parts.push([`${title}:`, ...flagTexts].join('\n'));
  }
  const page = hasInputs ? 'reference/inputs-table.md' : 'reference/command-line.md';
  return fitted([...parts, readOn(page)].join('\n\n').trimEnd().concat('\n'), columns);
}

/** The title of the group of a flag. */
function groupOf(flag: Flag): string {
  return FLAG_GROUPS.find((group) => group[1].test(flag.input ?? flag.name))?.[0] ?? REST;
}

/** The flag that can be given instead of a required one, or of all required ones of a command. */
function insteadOf(command: Command, flag: Flag): string | undefined {
  if (command === 'status') return '--live-url';
  if (command === 'search') return '--search-site';
  return command === 'export' && flag.name === 'domain' ? '--project-id' : undefined;
}

function requiredMark(command: Command, flag: Flag): string {
  const instead = insteadOf(command, flag);
  if (instead === undefined) return ' (required)';
  return ` (required without ${instead})`;
}

function defaultMark(flag: Flag): string {
  // Options have no default, and a switch is off unless it is given.
  if (flag.input === undefined || flag.isSwitch) return '';
  const usual = INPUTS[flag.input].default;
  return usual && ` (default ${usual})`;
}

/** The first sentence about a flag. */
function sentenceOf(flag: Flag, texts: ReadonlyMap<string, string>): string {
  // The text of an option is with the flag, that of an input in action.yml.
  const text = flag.text ?? texts.get(flag.input ?? '') ?? '';
  // The lookbehind keeps the full stop in the sentence.
  const [first = ''] = text.split(/(?<=[.!])\s/);
  return first;
}
