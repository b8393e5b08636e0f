import { describe, expect, it } from "vitest"
import { scrub } from "../../prompts/scrub.ts"

const BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj"

describe("a text that is recorded", () => {
  it.each([
    ["an OpenAI key", "sk-proj-abcdefghij0123456789ABCDEF"],
    ["an OpenAI key of the old kind", "sk-abcdefghij0123456789ABCDEFGHIJ"],
    ["an Anthropic key with short parts", "sk-ant-api03-abc_def-0123-AbCdEf_gh-XyZ-AA"],
    ["a key whose last part is short", "sk-proj-abcdefghijklmnop1234_short"],
    ["a Stripe key", "sk_live_abcdefghij0123456789"],
    ["a Groq key", "gsk_abcdefghij0123456789"],
    ["an xAI key", "xai-abcdefghij0123456789"],
    ["an NVIDIA key", "nvapi-abcdefghij0123456789"],
    ["a GitHub token", "ghp_abcdefghij0123456789ABCDEFGHIJ012345"],
    ["a fine-grained GitHub token", "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz"],
    ["a GitLab token", "glpat-abcdefghij0123456789"],
    ["a Slack token", "xoxb-0123456789-abcdefghij"],
    ["an npm token", "npm_abcdefghij0123456789ABCDEFGHIJ012345"],
    ["an AWS key's id", "AKIAABCDEFGH12345678"],
    ["a Google key", "AIzaSyA0123456789abcdefghijklmnopqrstuv"],
    ["a Hugging Face token", "hf_abcdefghij0123456789"],
    ["a JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
    ["a JWT without a signature", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."],
    ["an encrypted JWT", "eyJhbGciOiJSU0EifQ.OKOawDo13gRp.48V1_ALb6US04U3b.5eym8TW_c8SuK0lt.XFBoMYUZodetZdvT"],
    ["a private key", `-----BEGIN PRIVATE KEY-----\n${BODY}\n-----END PRIVATE KEY-----`],
    ["an RSA key", `-----BEGIN RSA PRIVATE KEY-----\n${BODY}\n${BODY}\n-----END RSA PRIVATE KEY-----`],
    ["a private key in JSON", `-----BEGIN PRIVATE KEY-----\\n${BODY}\\n-----END PRIVATE KEY-----`],
    ["a private key that was cut off", `-----BEGIN OPENSSH PRIVATE KEY-----\n${BODY}\n${BODY.slice(0, 9)}`],
    ["a private key that was cut off in JSON", `-----BEGIN EC PRIVATE KEY-----\\n${BODY}\\n${BODY.slice(0, 9)}`],
  ])("loses %s, whole, and nothing beside it", (_, secret) => {
    expect(scrub(`"before ${secret}" after`)).toBe('"before [secret]" after')
    expect(scrub(JSON.stringify({ advise: `see ${secret}` }))).toBe('{"advise":"see [secret]"}')
    expect(scrub(secret)).toBe("[secret]")
  })

  it.each([
    ["https://user:hunter2@host/path", "https://user:[secret]@host/path"],
    ["redis://:hunter2@host:6379", "redis://:[secret]@host:6379"],
    ["postgres://u:p:w:x@host/db", "postgres://u:[secret]@host/db"],
    ["postgres://u:p@ss@host/db", "postgres://u:[secret]@host/db"],
    ["Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer [secret]"],
    ["authorization: basic dXNlcjpwYXNzd29yZA==", "authorization: basic [secret]"],
    ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [secret]"],
    ['"AWS_SECRET_ACCESS_KEY":"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"', '"AWS_SECRET_ACCESS_KEY":"[secret]"'],
  ])("loses a secret by the place that it stands in: %s", (text, expected) => {
    expect(scrub(text)).toBe(expected)
  })

  it.each([
    "sk-learn, ask-me-anything, risk-free-and-very-long-word",
    "https://host:8080/path and https://host/@scope/name",
    "a commit 0123456789abcdef0123456789abcdef01234567",
    "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIC\n-----END PUBLIC KEY-----",
    "eyJ, github_pat, Bearer of news",
    '{"advise":"the key `sk-` is missing"}',
  ])("keeps what is none: %s", (text) => {
    expect(scrub(text)).toBe(text)
  })

  it("loses the two keys of two, and keeps what is between", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${BODY}\n-----END PRIVATE KEY-----`
    expect(scrub(`${key} and ${key}`)).toBe("[secret] and [secret]")
    const cut = `-----BEGIN PRIVATE KEY-----\n${BODY}`
    expect(scrub(`"${cut}", "${key}"`)).toBe('"[secret]", "[secret]"')
  })

  it("loses a known secret in every spelling that JSON has for it", () => {
    const secret = 'p"a\\ss<w>&rd\u2028'
    expect(scrub(`it is ${secret}.`, [secret])).toBe("it is [secret].")
    for (const text of [JSON.stringify({ a: secret }), '{"a":"p\\"a\\\\ss\\u003cw\\u003e\\u0026rd\\u2028"}']) {
      expect(scrub(text, [secret])).toBe('{"a":"[secret]"}')
    }
  })

  it("keeps a word that is too short to be a secret", () => {
    expect(scrub("none of it", ["none"])).toBe("none of it")
  })

  it("is read in time, whatever it holds", () => {
    const began = performance.now()
    for (const part of [
      "-----BEGIN PRIVATE KEY-----",
      "sk-",
      "eyJaaaaaaaa.",
      "://a:",
      "://",
      "a:b@",
      "Bearer ",
      "sk-a-",
    ]) {
      scrub(part.repeat(20_000))
    }
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
