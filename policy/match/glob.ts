/** What one position of a glob takes. A string is that character; the others are explained in `readGlob`. */
type Step = string | typeof STAR | typeof ANY | typeof ONE | typeof MAYBE
const STAR = 0
const ANY = 1
const ONE = 2
const MAYBE = 3

/**
 * Compiles a glob to a test of the whole text.
 *
 * `*` is any characters but `/`, `**` any characters. Two stars as a whole segment may also be no segment, so that the
 * glob for `.env` in any folder fits a bare `.env`; at the end they want something inside, so that `a/**` fits neither
 * `a` nor `a/`. Every other character is literal, and dot files are like any other.
 *
 * Time is the length of the text times that of the glob, whatever they hold: all ways to match are followed at once.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const firstStar = glob.indexOf("*")
  if (firstStar < 0) return (text) => text === glob
  if (/^\*\*+$/.test(glob)) return () => true
  const prefix = glob.slice(0, firstStar)
  const lastStar = glob.lastIndexOf("*")
  if (firstStar === lastStar && lastStar === glob.length - 1) {
    return (text) => text.startsWith(prefix) && text.indexOf("/", prefix.length) < 0
  }
  // what follows the last star is literal, but for the slash of `**/`, which may match nothing
  const suffix = glob.slice(lastStar + 1).replace(/^\//, "")
  // Most texts lack what the glob spells out, and need no walk.
  const literal = glob.split(/\/?\*+\/?/).reduce((longest, part) => (part.length > longest.length ? part : longest))
  const steps = readGlob(glob)
  return (text) => text.startsWith(prefix) && text.endsWith(suffix) && text.includes(literal) && walk(steps, text)
}

/** STAR and ANY loop; ONE is one character; MAYBE stands before ANY and a slash, and may skip both. */
function readGlob(glob: string): readonly Step[] {
  const steps: Step[] = []
  for (let at = 0; at < glob.length; ) {
    if (glob[at] !== "*") {
      steps.push(glob[at++]!)
      continue
    }
    const start = at
    while (glob[at] === "*") at++
    const opens = start === 0 || glob[start - 1] === "/"
    if (at - start === 1) steps.push(STAR)
    else if (opens && glob[at] === "/") {
      steps.push(MAYBE, ANY, "/")
      at++
    } else if (opens && at === glob.length) steps.push(ONE, ANY)
    else steps.push(ANY)
  }
  return steps
}

/** Follows every position of the glob that the text so far can have come to. */
function walk(steps: readonly Step[], text: string): boolean {
  const end = steps.length
  let here = new Uint8Array(end + 1)
  let next = new Uint8Array(end + 1)
  reach(steps, here, 0)
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    let alive = false
    for (let i = 0; i < end; i++) {
      if (here[i] === 0) continue
      const step = steps[i]!
      if (step === ANY || (step === STAR && char !== "/")) reach(steps, next, i)
      else if (step === ONE || step === char) reach(steps, next, i + 1)
      else continue
      alive = true
    }
    if (!alive) return false
    here.fill(0)
    const spent = here
    here = next
    next = spent
  }
  return here[end] === 1
}

/** Marks a position, and those that are reached from it without taking a character. */
function reach(steps: readonly Step[], marks: Uint8Array, from: number): void {
  for (let i = from; marks[i] === 0; i++) {
    marks[i] = 1
    const step = steps[i]
    if (step === MAYBE) reach(steps, marks, i + 3)
    else if (step !== STAR && step !== ANY) return
  }
}
