// The names that the stores import.
export type { AwsAddress } from './aws/address.ts';
export type { GiteaAddress } from './gitea/address.ts';
export type { GitHubAddress } from './github/address.ts';
export type { GitLabAddress } from './gitlab/address.ts';
export { formatAddress } from './kinds.ts';
export type { KubernetesAddress } from './kubernetes/address.ts';
export type { ImageAddress } from './registry/address.ts';
export type { VaultAddress } from './vault/address.ts';
