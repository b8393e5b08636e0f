/** What credentials look like: the keys of well-known services, tokens, private keys, passwords in URLs. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}/g,
  /\bgh[opsur]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/=-]{12,}/gi,
  /(?<=:\/\/[^\s:@/"]{1,64}:)[^\s:@/"]{3,}(?=@)/g,
]

const MARK = "[secret]"

/**
 * A text without what looks like a credential, and without the given ones. What a recording holds is read by people and kept in
 * a repository.
 */
export function scrub(text: string, known: readonly string[] = []): string {
  const plain = known
    .filter((secret) => secret.length >= 6)
    .reduce((left, secret) => left.replaceAll(secret, MARK), text)
  return SECRETS.reduce((left, pattern) => left.replace(pattern, MARK), plain)
}
