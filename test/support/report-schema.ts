import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../schemas/report.schema.json'), 'utf8'),
);
const ajv = new Ajv2020({ allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(schema);

/**
 * Throws if a report does not match its schema, or has a field that the schema does not describe.
 */
export function assertReport(text: string): void {
  const report: Record<string, unknown> = JSON.parse(text);
  if (!validate(report))
    throw new Error(`The report does not fit its schema: ${ajv.errorsText(validate.errors)}`);
  const unknown = Object.keys(report).filter(
    (name) => !(name in schema.properties) && name !== 'outputs',
  );
  if (unknown.length > 0)
    throw new Error(`schemas/report.schema.json does not explain: ${unknown.join(', ')}`);
}
