import { type PlainKind, required } from '../kind.ts';
import { formatAddress, parseVault, VAULT_FORMS, type VaultAddress } from './address.ts';
import type { VaultAuthInputs, VaultInputs } from './inputs.ts';

interface Credentials {
  readonly vault?: VaultInputs | undefined;
}

export const vault: PlainKind<VaultAddress, Credentials> = {
  forms: VAULT_FORMS,
  queries: [],
  hasKey: true,
  parse: parseVault,
  format: formatAddress,
  keys: (address) => [formatAddress(address), `${formatAddress(address)}_state`],
  server: (_, value) => value('vault-address'),
  open: async (address, opening) => {
    const { VaultStore } = await import('./store.ts');
    const text = formatAddress(address);
    const given = required(opening.credentials.vault, 'vault-address', text);
    opening.log.info(`${text}: the run logs in to Vault by ${describeLogin(given.auth)}.`);
    return new VaultStore({
      ...opening,
      address,
      server: { ...given, ca: await readAuthority(given.ca, opening.run.workspace) },
      auth: given.auth,
      idToken: (audience) => opening.idToken('vault', audience),
    });
  },
};

/** Completes "the run logs in to Vault by …". */
function describeLogin(auth: VaultAuthInputs): string {
  switch (auth.kind) {
    case 'jwt':
      return `its id token, with the role ${auth.role} of auth/${auth.path}`;
    case 'approle':
      return `AppRole at auth/${auth.path}, with VAULT_ROLE_ID and VAULT_SECRET_ID`;
    case 'token':
      return `the token in ${auth.source}`;
  }
}

/** The certificate of Vault's authority as PEM; undefined: none is given. */
async function readAuthority(
  ca: VaultInputs['ca'],
  workspace: string,
): Promise<string | undefined> {
  if (ca === undefined) return undefined;
  if ('pem' in ca) return ca.pem;
  const { readTrustedFile } = await import('../../ground/confined-files.ts');
  const use = 'as the authority of Vault (VAULT_CACERT)';
  const hint =
    'Name a file with certificates as PEM outside the workspace, or give them in VAULT_CACERT_BYTES.';
  return readTrustedFile({ path: ca.path, workspace, use, hint });
}
