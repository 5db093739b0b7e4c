import type { HeaderSink, Platform } from './platform/platform.ts';

/** A page, or another file, that stands beside the service for as long as it runs on this machine. */
export interface LocalFile {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

/** Answers for a path without its query; null: the service's own business. */
export type LocalFiles = (path: string) => Promise<LocalFile | null>;

/** The platform with more files in front of it: what is never deployed, such as the demo's dealer site. */
export function withFiles(
  platform: Pick<Platform, 'dispatch' | 'log'>,
  files: LocalFiles,
): Pick<Platform, 'dispatch' | 'log'> {
  return {
    log: platform.log,
    async dispatch(request: Request, outgoing?: HeaderSink): Promise<Response> {
      const file = request.method === 'GET' ? await files(new URL(request.url).pathname) : null;
      if (!file) return platform.dispatch(request, outgoing);
      return new Response(file.body, { headers: { 'content-type': file.type, 'cache-control': 'no-store' } });
    },
  };
}
