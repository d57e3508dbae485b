import { serverProgram } from './program.ts';

/** The real cosign, which verifies attestations. */
export function cosignProgram(): string {
  return serverProgram('cosign');
}
