import { VALUE_KEYS } from '../../src/config/parse.ts';

const OPTION_TEXTS: Readonly<Record<string, string>> = {
  state: 'Where the state is kept that belongs to `to-command`. Read on a person’s machine only.',
};

/**
 * The JSON schema of `docs-courier.yml` for editors: every key that the program accepts, with the
 * text of action.yml.
 */
export function renderConfigSchema(
  inputs: readonly { readonly name: string; readonly text: string }[],
): string {
  const values = Object.fromEntries(
    VALUE_KEYS.map((key) => {
      const description = inputs.find(({ name }) => name === key)?.text ?? OPTION_TEXTS[key];
      if (description === undefined)
        throw new Error(`The key ${key} of docs-courier.yml does not have a text`);
      return [key, { description, $ref: '#/$defs/value' }];
    }),
  );
  const scalar = { type: ['string', 'number', 'boolean'] };
  const paths = {
    description:
      'Patterns of the source files of the site, from the root of the repository: `docs/guide/**`.',
    $ref: '#/$defs/value',
  };
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Docs Courier configuration',
    description: 'Inputs of Docs Courier for one repository, without secrets.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...values,
      sites: {
        description: 'Several sites by name. The keys of a site override those at the top.',
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$' },
        additionalProperties: { $ref: '#/$defs/site' },
      },
    },
    additionalProperties: false,
    $defs: {
      site: { type: 'object', properties: { ...values, paths }, additionalProperties: false },
      value: { anyOf: [scalar, { type: 'array', items: scalar }] },
    },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
