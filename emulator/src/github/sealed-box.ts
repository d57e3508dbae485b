import { blake2b } from 'blakejs';
import nacl from 'tweetnacl';

const { publicKeyLength, nonceLength } = nacl.box;

/**
 * A key pair that opens libsodium's sealed boxes (`crypto_box_seal`). It uses other libraries than
 * the one that seals them, which is ten times as large: a box that both understand is one that
 * GitHub understands too.
 */
export class SealingKey {
  readonly #pair = nacl.box.keyPair();

  /** 32 bytes. */
  get publicKey(): Uint8Array {
    return this.#pair.publicKey;
  }

  /** The text in a box; undefined if this key cannot open it. */
  open(box: Uint8Array): string | undefined {
    if (box.length < publicKeyLength) return undefined;
    const sender = Uint8Array.from(box.subarray(0, publicKeyLength));
    const nonce = blake2b(Uint8Array.from([...sender, ...this.publicKey]), undefined, nonceLength);
    const opened = nacl.box.open(
      Uint8Array.from(box.subarray(publicKeyLength)),
      nonce,
      sender,
      this.#pair.secretKey,
    );
    return opened === null ? undefined : new TextDecoder().decode(opened);
  }
}
