/** A stylesheet as text, minified by the build. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** Name of the panel's file, with the hash of its content; put in by the build. */
declare const PANEL_FILE: string;
