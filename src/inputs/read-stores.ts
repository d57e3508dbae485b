import type { Address } from '../stores/address.ts';
import type { AwsInputs, KubernetesInputs, VaultAuthInputs, VaultInputs } from '../stores/credentials.ts';
import type { InputName } from './catalog.ts';
import type { InputReader } from './reader.ts';
import * as stores from './store-values.ts';
import * as values from './values.ts';
import { apiToken } from './values.ts';

// What stores outside of a forge are given. An input that no address of `to` needs is an error: nothing would read it.

const VAULT = [
  'vault-address',
  'vault-auth',
  'vault-auth-path',
  'vault-role',
  'vault-audience',
  'vault-token',
  'vault-namespace',
  'vault-ca',
] as const satisfies readonly InputName[];

export function readKubernetes(reader: InputReader, addresses: readonly Address[]): KubernetesInputs | undefined {
  if (!addresses.some(({ scheme }) => scheme === 'k8s')) {
    reader.forbid(['kubeconfig', 'kube-context', 'allow-kube-exec'], 'is read only together with a k8s: address in to');
    return undefined;
  }
  const kubeconfig = reader.optional('kubeconfig', stores.kubeconfig);
  if (!reader.isGiven('kubeconfig')) {
    reader.forbid(['kube-context', 'allow-kube-exec'], 'is read only together with kubeconfig');
  }
  return {
    kubeconfig,
    context: reader.optional('kube-context', values.line),
    allowExec: reader.required('allow-kube-exec', values.boolean) ?? false,
  };
}

export function readAws(reader: InputReader, addresses: readonly Address[]): AwsInputs | undefined {
  if (!addresses.some(({ scheme }) => scheme === 'aws-sm' || scheme === 'aws-ssm')) {
    reader.forbid(
      ['aws-region', 'aws-role', 'aws-audience'],
      'is read only together with an aws-sm: or aws-ssm: address in to',
    );
    return undefined;
  }
  const region = reader.optional('aws-region', stores.awsRegion);
  if (!reader.isGiven('aws-role')) {
    reader.forbid(['aws-audience'], 'is read only together with aws-role');
    return { region, role: undefined };
  }
  const arn = reader.optional('aws-role', stores.awsRole);
  const audience = reader.required('aws-audience', values.line);
  return { region, role: arn === undefined || audience === undefined ? undefined : { arn, audience } };
}

export function readVault(reader: InputReader, addresses: readonly Address[]): VaultInputs | undefined {
  if (!addresses.some(({ scheme }) => scheme === 'vault')) {
    reader.forbid(VAULT, 'is read only together with a vault: address in to');
    return undefined;
  }
  const address = reader.required(
    'vault-address',
    stores.vaultAddress,
    ': it names the server of the vault: addresses',
  );
  const auth = readVaultAuth(reader, address);
  const namespace = reader.optional('vault-namespace', stores.vaultNamespace);
  const ca = reader.optional('vault-ca', stores.certificates);
  return address === undefined || auth === undefined ? undefined : { address, auth, namespace, ca };
}

function readVaultAuth(reader: InputReader, address: string | undefined): VaultAuthInputs | undefined {
  const kind = reader.required('vault-auth', values.oneOf(['jwt', 'approle', 'token']));
  const path = reader.optional('vault-auth-path', stores.vaultAuthPath);
  switch (kind) {
    case 'jwt': {
      reader.forbid(['vault-token'], 'does not fit vault-auth: jwt; for a token set vault-auth: token');
      const role = reader.required('vault-role', values.line, ': the run logs in with it (vault-auth is jwt)');
      const audience = reader.optional('vault-audience', values.line) ?? address;
      return role === undefined || audience === undefined ? undefined : { kind, path: path ?? kind, role, audience };
    }
    case 'approle': {
      reader.forbid(['vault-audience'], 'does not fit vault-auth: approle');
      const roleId = reader.required('vault-role', values.line, ': the RoleID of vault-auth: approle');
      const secretId = reader.required('vault-token', apiToken, ': the SecretID of vault-auth: approle');
      return roleId === undefined || secretId === undefined
        ? undefined
        : { kind, path: path ?? kind, roleId, secretId };
    }
    case 'token': {
      reader.forbid(['vault-role', 'vault-audience', 'vault-auth-path'], 'does not fit vault-auth: token');
      const token = reader.required('vault-token', apiToken, ': vault-auth is token');
      return token === undefined ? undefined : { kind, token };
    }
    case undefined:
      return undefined;
  }
}
