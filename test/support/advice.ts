import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import * as z from 'zod/mini';
import { INPUT_NAMES } from '../../src/values/reader.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The inputs that a message tells its reader to set, as the source of the message has them. */
export interface Advice {
  readonly file: string;
  /** The name of each input, with its value: a text, or an expression of the source. */
  readonly inputs: readonly (readonly [name: string, value: Value])[];
}

export type Value = { readonly text: string } | { readonly expression: string };

const span = { start: z.number(), end: z.number() };
const property = z.looseObject({
  type: z.literal('Property'),
  key: z.looseObject({ ...span, name: z.optional(z.string()), value: z.optional(z.string()) }),
  value: z.looseObject({ ...span, type: z.string(), value: z.optional(z.unknown()) }),
  computed: z.boolean(),
});
type Property = z.infer<typeof property>;
const object = z.looseObject({
  type: z.literal('ObjectExpression'),
  properties: z.array(z.union([property, z.looseObject({ type: z.literal('SpreadElement') })])),
});

/** Each advice of a source. A part of an object that is copied with `...` has no advice of its own. */
export function adviceOf(file: string, source: string): readonly Advice[] {
  if (!/\binputs\b/.test(source)) return [];
  const found: Advice[] = [];
  const text = ({ start, end }: { readonly start: number; readonly end: number }) =>
    source.slice(start, end);
  const entryOf = ({ key, value, computed }: Property): readonly [string, Value] => {
    const name = computed ? `[${text(key)}]` : (key.name ?? key.value ?? '');
    const isText = value.type === 'Literal' && typeof value.value === 'string';
    return [name, isText ? { text: String(value.value) } : { expression: text(value) }];
  };
  const readObject = (node: unknown) => {
    const own = propertiesOf(node);
    const inputs = own.find(({ key }) => key.name === 'inputs');
    if (inputs === undefined) return;
    const written = object.safeParse(inputs.value).data;
    const isHint = own.some(({ key }) => key.name === 'text');
    if (written === undefined) {
      // A name for inputs that are put together elsewhere.
      if (isHint) found.push({ file, inputs: [['', { expression: text(inputs.value) }]] });
      return;
    }
    const entries = written.properties.filter((one): one is Property => one.type === 'Property');
    const isCopy = entries.length < written.properties.length;
    if (!isCopy && entries.length > 0) found.push({ file, inputs: entries.map(entryOf) });
  };
  eachNode(source, readObject);
  return found;
}

/** The properties of an object in a source; none of any other node. */
function propertiesOf(node: unknown): readonly Property[] {
  const { data } = object.safeParse(node);
  return (data?.properties ?? []).filter((one): one is Property => one.type === 'Property');
}

/** The permissions that each hint of a source tells its reader to give a job. */
export function permissionsOf(
  source: string,
): readonly Readonly<Record<string, 'read' | 'write'>>[] {
  if (!/\bpermissions: \{/.test(source)) return [];
  const found: Record<string, 'read' | 'write'>[] = [];
  eachNode(source, (node) => {
    const own = propertiesOf(node);
    const isHint = own.some(({ key }) => key.name === 'text');
    const permissions = own.find(({ key }) => key.name === 'permissions');
    if (!isHint || permissions === undefined) return;
    const entries = propertiesOf(permissions.value).map(
      ({ key, value }) =>
        [key.name ?? key.value ?? '', value.value === 'write' ? 'write' : 'read'] as const,
    );
    found.push(Object.fromEntries(entries));
  });
  return found;
}

function eachNode(source: string, visit: (node: unknown) => void): void {
  JSON.stringify(parseAst(source, { lang: 'ts' }), (_, node: unknown) => {
    visit(node);
    return node;
  });
}

const LINE_OF_INPUT = new RegExp(String.raw`(?:\\n|\n) *(?:${INPUT_NAMES.join('|')}): `);
const plainText = z.looseObject({
  ...span,
  type: z.enum(['Literal', 'TemplateLiteral']),
  value: z.optional(z.unknown()),
});

/** Texts with a line such as `name: value`, which should be advice of its own. */
export function linesOutsideOfAdvice(source: string): readonly string[] {
  // To parse all sources takes seconds.
  if (!LINE_OF_INPUT.test(source)) return [];
  const found: string[] = [];
  eachNode(source, (node) => {
    const { data } = plainText.safeParse(node);
    const text = data === undefined ? '' : source.slice(data.start, data.end);
    if (LINE_OF_INPUT.test(text)) found.push(text);
  });
  return found;
}

/** The sources, by their paths below `src`. */
export function readSources(): ReadonlyMap<string, string> {
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(ROOT, 'src', name), 'utf8')]),
  );
}
