import { SmallVault } from '../../support/small-servers/vault.ts';
import { describeVault } from '../../support/vault-scenarios.ts';

describeVault('a small Vault', () => SmallVault.start());
