import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../schemas/stamp.schema.json'), 'utf8'),
);
const ajv = new Ajv2020({ allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(schema);

/**
 * Throws if a stamp does not match its schema, or has a member that the schema does not describe.
 */
export function assertStamp(text: string): void {
  const stamp: Record<string, unknown> = JSON.parse(text);
  if (!validate(stamp))
    throw new Error(`The stamp does not fit its schema: ${ajv.errorsText(validate.errors)}`);
  const unknown = Object.keys(stamp).filter((name) => !(name in schema.properties));
  if (unknown.length > 0)
    throw new Error(`schemas/stamp.schema.json does not explain: ${unknown.join(', ')}`);
}
