import { expect } from 'vitest';
import type { Endpoint } from '../../../lib/http/endpoint.ts';
import { guardFor } from '../oracles/conforms.ts';
import { SAMPLES, type Sample, type Stage, tokenFor, uniqueIp } from '../samples/samples.ts';
import type { Answer, Call } from './service.ts';

/** What the suites over every endpoint share. */

/** A valid request to the endpoint; throws when nobody wrote one. */
export async function sampleFor(stage: Stage, endpoint: Endpoint): Promise<Sample> {
  const sample = SAMPLES[endpoint.id];
  if (!sample)
    throw new Error(`no sample request for ${endpoint.id}: add one to tests/support/samples/samples.ts`);
  return sample(stage);
}

/** A call with the endpoint's own credential unless `call` brings another, from an address of its own. */
export function sendTo(
  { service, account }: Stage,
  endpoint: Endpoint,
  { path, json }: Sample,
  call: Call = {},
): Promise<Answer> {
  const token = tokenFor(guardFor(endpoint, path), account);
  const body = call.raw !== undefined || json === undefined ? {} : { json };
  return service.call(endpoint.method, path, { token, ip: uniqueIp(), ...body, ...call });
}

/** Both of one account. */
export const endpointCalls = (stage: Stage) => ({
  makeSample: (endpoint: Endpoint) => sampleFor(stage, endpoint),
  send: (endpoint: Endpoint, sample: Sample, call?: Call) => sendTo(stage, endpoint, sample, call),
});

export function expectRefused(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.error.code], answer.text).toEqual([status, code]);
}
