import { VaultServer } from '../../support/real-servers/vault.ts';
import { describeVault } from '../../support/vault-scenarios.ts';

describeVault('a real Vault', () => VaultServer.start());
