import type { KubernetesAddress, PlainAddress } from '../stores/address.ts';
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

export function readKubernetes(reader: InputReader, addresses: readonly PlainAddress[]): KubernetesInputs | undefined {
  const own = addresses.filter((address): address is KubernetesAddress => address.scheme === 'k8s');
  if (own.length === 0) {
    reader.forbid(['kubeconfig', 'allow-kube-exec'], 'is read only together with a k8s: address in to');
    return undefined;
  }
  const kubeconfig = reader.optional('kubeconfig', stores.kubeconfig);
  if (!reader.isGiven('kubeconfig')) {
    reader.forbid(['allow-kube-exec'], 'is read only together with kubeconfig');
  }
  const [context, ...others] = new Set(own.map((address) => address.context));
  if (others.length > 0) {
    reader.problem('to has k8s: addresses with different values of ?context=; one step writes to one cluster');
  }
  return {
    kubeconfig,
    context,
    allowExec: reader.required('allow-kube-exec', values.boolean) ?? false,
  };
}

export function readAws(reader: InputReader, addresses: readonly PlainAddress[]): AwsInputs | undefined {
  if (!addresses.some(({ scheme }) => scheme === 'aws-sm' || scheme === 'aws-ssm')) {
    reader.forbid(['aws-role', 'aws-audience'], 'is read only together with an aws-sm: or aws-ssm: address in to');
    return undefined;
  }
  if (!reader.isGiven('aws-role')) {
    reader.forbid(['aws-audience'], 'is read only together with aws-role');
    return { role: undefined };
  }
  const arn = reader.optional('aws-role', stores.awsRole);
  const audience = reader.required('aws-audience', values.line);
  return { role: arn === undefined || audience === undefined ? undefined : { arn, audience } };
}

export function readVault(reader: InputReader, addresses: readonly PlainAddress[]): VaultInputs | undefined {
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
