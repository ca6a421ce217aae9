// The addresses of the console's pages as types: a link to a page that does not exist does not compile.

/**
 * The pages of every feature, by its name. A feature adds its own in its index:
 *
 *     declare module '@shell/addresses' {
 *       interface Pages {
 *         recipient: typeof pages;
 *       }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: each feature adds to it
export interface Pages {}

type PathsOf<T> = T extends readonly { path: infer P extends string }[] ? P : never;

/** The path of a page, as in /recipients/$id. */
export type Path = PathsOf<Pages[keyof Pages]>;

/** A path with anything where its parameters stand. */
type Filled<P extends string> = P extends `${infer Before}$${infer After}`
  ? After extends `${string}/${infer Rest}`
    ? `${Before}${string}/${Filled<Rest>}`
    : `${Before}${string}`
  : P;

/** The address of a page, with what it is asked for: /recipients/rcp_1, /campaigns?status=RUNNING. */
export type Href = Filled<Path> | `${Filled<Path>}?${string}`;
