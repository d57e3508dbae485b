import type { Verification } from '../report/bundle-facts.ts';
export interface VerifyInit {
  root: string;
  files: readonly string[];
  pageCount: number | undefined;
  isAirGapped: boolean;
  runnerTemp: string;
  signal: AbortSignal;
}
export async function verifySite(_init: VerifyInit): Promise<{ verification: Verification; reportPath: string }> {
  throw new Error('todo');
}
