import { createElement, Fragment } from 'preact';

/** `preact/jsx-runtime` in fewer bytes: the build puts this in its place. */
export const jsx = (type: string, props: object, key?: string) =>
  createElement(type, key === undefined ? props : { ...props, key });
export { Fragment, jsx as jsxs };
