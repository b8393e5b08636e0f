/** The package's version. Held against package.json by a test; a constant, because reading that file costs a start. */
export const VERSION = "0.1.0"
