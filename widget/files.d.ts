/** A stylesheet as text, minified by the build. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** Hash of all the files' content; put in by the build. */
declare const VERSION: string;
