import { type CourierError, configError } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import { guess } from '../ground/text/names.ts';

/**
 * What a template may name. A name stays in the instruction: what it stands for is data, and goes
 * with the other data.
 */
const TEMPLATE_NAMES = [
  'repository',
  'pull_request.number',
  'pull_request.url',
  'pull_request.title',
  'pull_request.description',
  'pull_request.author',
  'pull_request.base',
  'pull_request.head',
  'pull_request.commit',
  'pull_request.labels',
  'pull_request.files',
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** A name in double braces. */
const NAME_IN_BRACES = /\{\{([^{}]*)\}\}/g;

/** An instruction of a workflow, and what it names. */
export interface Template {
  readonly text: string;
  readonly names: readonly TemplateName[];
}

/**
 * Reads a template, and which values it names. Throws `config` if it is not UTF-8, is empty, or
 * names something that does not exist.
 */
export function readTemplate(bytes: Uint8Array, path: string): Template {
  const text = decode(bytes, path).replaceAll('\r\n', '\n').trim();
  if (text === '') throw wrong(path, 'is empty', 'Write the instruction into it.');
  const names = new Set<TemplateName>();
  // Collects the names. `{{ name }}` loses its spaces: in the data the key is `{{name}}`.
  const tidied = text.replace(NAME_IN_BRACES, (_whole, written: string) => {
    const name = nameOf(written.trim(), path);
    names.add(name);
    return `{{${name}}}`;
  });
  return { text: tidied, names: [...names] };
}

/** The text of a file. Zeros are valid UTF-8, but occur only in files of another kind. */
function decode(bytes: Uint8Array, path: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below.
  }
  throw wrong(path, 'is not UTF-8 text', 'Save it as UTF-8.');
}

/** The name as its type. Throws `config` for a name that does not exist. */
function nameOf(written: string, path: string): TemplateName {
  const name = TEMPLATE_NAMES.find((one) => one === written);
  if (name !== undefined) return name;
  const meant = guess(written, TEMPLATE_NAMES);
  const hint = meant === undefined ? '' : `: did you mean {{${meant}}}?`;
  throw wrong(
    path,
    `names {{${plainLine(written, 60)}}}, which does not exist${hint}`,
    `A template can name ${TEMPLATE_NAMES.map((one) => `{{${one}}}`).join(', ')}.`,
  );
}

function wrong(path: string, problem: string, hint: string): CourierError {
  return configError(`prompt-file: ${plainLine(path, 200)} ${problem}. Nothing was sent.`, hint, {
    inputs: ['prompt-file'],
  });
}
