import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '../../../lib/errors.ts';
import { ROOT } from '../deployment.ts';

/** The operations of sellers, as public/openapi.json has them: to load the service takes longer than to write all pages. */

export interface Operation {
  id: string;
  /** `POST /v1/inventory`. */
  call: string;
  summary: string;
  /** Where Scalar shows it. */
  reference: string;
  codes: readonly ErrorCode[];
}

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>;
}

interface DocumentOperation {
  operationId: string;
  summary: string;
  tags: [string];
  /** An error's is named after the status and the codes that it may have: `400.INVALID_VIN.INVALID_PARAMS`. */
  responses: Record<string, { $ref?: string }>;
}

export const OPERATIONS: readonly Operation[] = readOperations();

function readOperations(): Operation[] {
  const document: Document = JSON.parse(readFileSync(join(ROOT, 'public/openapi.json'), 'utf8'));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => toOperation(method.toUpperCase(), path, operation)),
  );
}

function toOperation(method: string, path: string, operation: DocumentOperation): Operation {
  const { operationId, summary, tags, responses } = operation;
  const tag = tags[0].toLowerCase().replaceAll(' ', '-');
  return {
    id: operationId,
    call: `${method} ${path}`,
    summary,
    reference: `/docs/reference.html#tag/${tag}/${method}${path}`,
    codes: Object.values(responses).flatMap(({ $ref }) => ($ref?.split('.').slice(1) ?? []) as ErrorCode[]),
  };
}
