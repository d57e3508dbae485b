import { keyPrefix } from '../ground/text/credentials.ts';
import { HIDDEN, hideCredentials } from '../ground/text/hide-credentials.ts';
import { createRedact, type Redact } from '../ground/text/redact.ts';

/**
 * Takes out the given credentials, the platform's keys by their prefix, and all that has the form
 * of a credential.
 */
export function createCredentialRedact(adminApiKey: string, others: readonly string[]): Redact {
  const hideGiven = createRedact([adminApiKey, ...others]);
  // Without a known prefix, the pattern `(?!)` matches nothing.
  const prefix = keyPrefix(adminApiKey) ?? '(?!)';
  // With fewer characters behind the prefix, it is more likely a name than a key.
  const platformKeys = new RegExp(`(?<![A-Za-z0-9])${prefix}[A-Za-z0-9_-]{16,}`, 'g');
  return (text) => hideCredentials(hideGiven(text)).replace(platformKeys, HIDDEN);
}
