/** Keys for one identity of AWS. Those with a session token are temporary. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  /** Epoch milliseconds; undefined: AWS does not say, or never. */
  readonly expiresAtMs: number | undefined;
}

interface Signable {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** All of them are signed. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly service: string;
  readonly region: string;
}

/**
 * The headers of a request with a signature of version 4, good for some minutes from `atMs`:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export async function signedHeaders(request: Signable, keys: AwsKeys, atMs: number): Promise<Record<string, string>> {
  const { AwsV4Signer } = await import('aws4fetch');
  const { url, sessionToken, ...rest } = { ...request, ...keys };
  const signer = new AwsV4Signer({
    ...rest,
    url: url.href,
    ...(sessionToken !== undefined && { sessionToken }),
    datetime: new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}
