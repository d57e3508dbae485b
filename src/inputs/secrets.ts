import type { InputName } from './catalog.ts';
import { headerSecrets } from './read-live.ts';

/** Everything that must not be shown of an input that holds a secret: the whole, and parts that are secrets by themselves. */
export function secretsOf(name: InputName, raw: string): readonly string[] {
  return name === 'live-headers' ? [raw, ...headerSecrets(raw)] : [raw];
}
