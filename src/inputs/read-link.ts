import type { InputName } from './catalog.ts';
import type { BundleInputs, SecretInputs, SecretTarget } from './inputs.ts';
import { apiToken } from './keys.ts';
import type { InputReader, ReadPlace } from './reader.ts';
import * as values from './values.ts';

const SECRET_OPTIONS = [
  'secret-scope',
  'secret-environment',
  'secret-repository',
  'secret-organization',
  'secret-visibility',
  'secret-selected-repositories',
  'secret-token',
] as const satisfies readonly InputName[];

const ORGANIZATION_OPTIONS = ['secret-organization', 'secret-visibility', 'secret-selected-repositories'] as const;

/** The secret to write the link into; undefined when none is asked for. */
export function readSecret(reader: InputReader, place: ReadPlace): SecretInputs | undefined {
  if (!reader.isGiven('secret-name')) {
    reader.forbid(SECRET_OPTIONS, 'is read only together with secret-name');
    return undefined;
  }
  const name = reader.required('secret-name', values.secretName);
  const token = reader.required('secret-token', apiToken, ": the workflow's own token cannot write secrets");
  const workflowToken = reader.optional('github-token', apiToken);
  const target = readTarget(reader, place);
  if (name === undefined || token === undefined || target === undefined) return undefined;
  return { name, target, token, workflowToken };
}

function readTarget(reader: InputReader, place: ReadPlace): SecretTarget | undefined {
  const scope = reader.required('secret-scope', values.oneOf(['repository', 'environment', 'organization']));
  switch (scope) {
    case undefined:
      return undefined;
    case 'repository':
      reader.forbid(['secret-environment', ...ORGANIZATION_OPTIONS], 'does not fit secret-scope: repository');
      return { scope, repository: readRepository(reader, place) };
    case 'environment':
      reader.forbid(ORGANIZATION_OPTIONS, 'does not fit secret-scope: environment');
      return readEnvironment(reader, place);
    case 'organization':
      reader.forbid(['secret-environment', 'secret-repository'], 'does not fit secret-scope: organization');
      return readOrganization(reader);
  }
}

function readRepository(reader: InputReader, place: ReadPlace): string {
  return reader.optional('secret-repository', values.repository) ?? place.repository;
}

function readEnvironment(reader: InputReader, place: ReadPlace): SecretTarget | undefined {
  const repository = readRepository(reader, place);
  const environment = reader.required('secret-environment', values.line, ': secret-scope is environment');
  return environment === undefined ? undefined : { scope: 'environment', repository, environment };
}

function readOrganization(reader: InputReader): SecretTarget | undefined {
  const organization = reader.required('secret-organization', values.login, ': secret-scope is organization');
  const visibility = reader.optional('secret-visibility', values.oneOf(['all', 'private', 'selected']));
  const selectedRepositories = reader.optional('secret-selected-repositories', values.list(values.repositoryOrId));
  if (selectedRepositories !== undefined && visibility !== 'selected') {
    reader.problem('secret-selected-repositories is read only with secret-visibility: selected');
  }
  return organization === undefined
    ? undefined
    : { scope: 'organization', organization, visibility, selectedRepositories };
}

export function readBundle(reader: InputReader, place: ReadPlace): BundleInputs {
  const path = values.pathBelow(place.workspace);
  const bundle = {
    bundlePath: reader.optional('bundle-path', path),
    extractTo: reader.optional('extract-to', path),
    clean: reader.required('clean', values.boolean) ?? false,
    verify: reader.required('verify', values.oneOf(['off', 'report', 'strict'])) ?? 'report',
    allowPrivateHosts: reader.required('allow-private-hosts', values.boolean) ?? false,
  };
  if (!reader.isGiven('extract-to')) {
    reader.forbid(['verify'], 'is read only together with extract-to');
    if (!reader.isGiven('bundle-path'))
      reader.forbid(['clean'], 'is read only together with extract-to or bundle-path');
  }
  return bundle;
}
