// The names that the stores import.
export type { AwsInputs } from './aws/inputs.ts';
