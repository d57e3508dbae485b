import { protocolError } from '../../ground/errors.ts';
import type { UpdateInputs } from '../../inputs/inputs.ts';
import { linkFault, linkPolicy } from '../../platform/link.ts';

/**
 * The address of a preview, if it keeps the rules for bundle links. Throws `protocol`, with a
 * message that does not contain the address. If the platform gave none, `raw` is empty and refused.
 */
export function checkPreviewUrl(raw = '', inputs: UpdateInputs): string {
  const policy = linkPolicy(inputs.baseUrl, inputs.allowPrivateHosts);
  // In a private network, an installation may show its previews at an IP address without a name.
  const fault = linkFault(raw, { ...policy, allowAddress: policy.allowPrivateHosts });
  if (fault === undefined) return raw;
  throw protocolError(
    `The preview was made, but its address ${fault}. It is not shown.`,
    "Open the preview on the platform's dashboard, and report the address to the platform.",
  );
}
