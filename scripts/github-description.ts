/**
 * Writes test/fixtures/github-openapi.json: of GitHub's description of its API, the replies that
 * the emulated GitHub gives, as JSON schemas. `npm pack @octokit/openapi`, unpack it (it is 400 MB,
 * so it is not a dependency), then `node scripts/github-description.ts FOLDER`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { createApp } from '../emulator/src/github/app.ts';
import { Store } from '../emulator/src/github/store.ts';

const TARGET = join(import.meta.dirname, '../test/fixtures/github-openapi.json');
const FOLDER = process.argv[2] ?? '';
const fields = z.record(z.string(), z.unknown());
const document = fields.parse(
  JSON.parse(readFileSync(join(FOLDER, 'generated/api.github.com.json'), 'utf8')),
);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')));

// They say nothing about what is valid.
const DROPPED =
  /^(?:x-.*|description|summary|title|example|examples|deprecated|readOnly|writeOnly|externalDocs|default)$/;

const schemas: Record<string, unknown> = {};

/** OpenAPI 3.0 as JSON Schema: `nullable` becomes a type, and references lead to `$defs`. */
function convert(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((one) => convert(one));
  if (typeof value !== 'object' || value === null) return value;
  const given = fields.parse(value);
  if (typeof given.$ref === 'string' && !isProperties) return refer(given.$ref);
  const entries = Object.entries(given)
    .filter(([name]) => isProperties || (!DROPPED.test(name) && name !== 'nullable'))
    .map(([name, one]) => [name, convert(one, !isProperties && name === 'properties')] as const);
  const schema = Object.fromEntries(entries);
  return given.nullable === true && !isProperties ? { anyOf: [{ type: 'null' }, schema] } : schema;
}

function refer(reference: string): unknown {
  const name = reference.split('/').at(-1) ?? '';
  if (!(name in schemas)) {
    schemas[name] = {};
    schemas[name] = convert(resolve(reference));
  }
  return { $ref: `#/$defs/${name}` };
}

function resolve(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => fields.parse(node)[key], document);
}

function followed(value: unknown): Record<string, unknown> {
  const node = fields.parse(value);
  return typeof node.$ref === 'string' ? followed(resolve(node.$ref)) : node;
}

/** Of a path, whatever its parameters are called. */
function shapeOf(path: string): string {
  return path.replace(/\{[^}]+\}|:\w+(?:\{[^}]*\})?/g, '*');
}

const wanted = new Set(
  createApp(new Store({}))
    .routes.filter(
      ({ method, path }) => method !== 'ALL' && path.startsWith('/') && !path.includes('_emulator'),
    )
    .map(({ method, path }) => `${method} ${shapeOf(path)}`),
);
const operations: Record<string, unknown> = {};
for (const [path, methods] of Object.entries(fields.parse(document.paths))) {
  for (const [method, operation] of Object.entries(fields.parse(methods))) {
    const name = `${method.toUpperCase()} ${shapeOf(path)}`;
    if (!wanted.delete(name)) continue;
    const replies = Object.entries(fields.parse(followed(operation).responses)).map(
      ([status, reply]) => {
        const { content } = followed(reply);
        const json = content === undefined ? undefined : fields.parse(content)['application/json'];
        return [status, json === undefined ? null : convert(followed(json).schema)] as const;
      },
    );
    operations[name] = Object.fromEntries(replies);
  }
}
const source = `https://www.npmjs.com/package/@octokit/openapi, version ${version}, generated/api.github.com.json (MIT)`;
writeFileSync(TARGET, `${JSON.stringify({ source, operations, $defs: schemas })}\n`);
console.log(
  `${Object.keys(operations).length} operations, ${Object.keys(schemas).length} schemas. Not described: ${[...wanted].join(', ') || 'none'}`,
);
