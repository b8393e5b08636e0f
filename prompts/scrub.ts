import { encodeValue } from "./template.ts"

/** What credentials look like: the keys of well-known services, tokens, private keys, passwords in URLs. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|nvapi)[-_](?=[A-Za-z_-]{0,64}\d)[A-Za-z0-9_-]{16,}/g,
  /\bgh[opsur]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /(?<=\baws_secret_access_key\W{1,8})[A-Za-z0-9/+]{40}/gi,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}/g,
  // The second alternative is a key whose end was cut off: as far as its lines go, also where JSON writes their ends as `\n`.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?:(?!-----BEGIN)[\s\S])*?-----END [A-Z ]*PRIVATE KEY-----|(?:[A-Za-z0-9+/=\s]|\\+[nr])*)/g,
  /(?<=\b(?:Bearer|Basic) )[A-Za-z0-9._~+/=-]{12,}/gi,
  /(?<=:\/\/[^\s:@/"]{0,64}:)[^\s/"]+(?=@)/g,
]

const MARK = "[secret]"

/**
 * A text without what looks like a credential, and without the given ones. What a recording holds is read by people and kept in
 * a repository.
 */
export function scrub(text: string, known: readonly string[] = []): string {
  const plain = known
    .filter((secret) => secret.length >= 6)
    .flatMap(spellings)
    .reduce((left, secret) => left.replaceAll(secret, MARK), text)
  return SECRETS.reduce((left, pattern) => left.replace(pattern, MARK), plain)
}

/** A text as it is, and as it stands inside of JSON, by our encoding or by a model's. */
const spellings = (secret: string): string[] => [
  ...new Set([secret, encodeValue(secret).slice(1, -1), JSON.stringify(secret).slice(1, -1)]),
]
