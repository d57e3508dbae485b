import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { queriesFileSchema } from '../../../src/search/queries-schema.ts';

const SCHEMA_FILE = new URL('../../../schemas/queries-file.schema.json', import.meta.url);

// The file is what z.toJSONSchema gives for queriesFileSchema, formatted by biome.
test('the JSON schema for editors is the schema that the file is checked with', () => {
  expect(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).toEqual(z.toJSONSchema(queriesFileSchema));
});
