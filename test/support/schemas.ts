import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Throws if a report does not match its schema, or has a field that the schema does not describe. */
export const assertReport = asserts('report', ['outputs']);

/** Throws if a stamp does not match its schema, or has a field that the schema does not describe. */
export const assertStamp = asserts('stamp');

/** Throws if a list of pages does not match its schema, or has a field that it does not describe. */
export const assertPageManifest = asserts('page-manifest');

function asserts(kind: string, undescribed: readonly string[] = []): (text: string) => void {
  const file = `schemas/${kind}.schema.json`;
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
  const ajv = new Ajv2020({ allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (text) => {
    const value: Record<string, unknown> = JSON.parse(text);
    if (!validate(value)) throw new Error(`Not as in ${file}: ${ajv.errorsText(validate.errors)}`);
    const unknown = Object.keys(value).filter(
      (name) => !(name in schema.properties) && !undescribed.includes(name),
    );
    if (unknown.length > 0) throw new Error(`${file} does not describe: ${unknown.join(', ')}`);
  };
}
