import { isTime } from '../truck/json.ts';

/**
 * How far a poller has seen every change, as `synced_until` says it and `updated_since` takes it: a time of six decimals,
 * and behind them the oldest transaction that was still open then. A plain time has no transaction.
 */
export interface SyncPoint {
  /** ISO 8601. */
  at: string;
  transaction: string | null;
}

const TRANSACTION_DIGITS = 13;
const WITH_TRANSACTION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6})(\d{13,18})Z$/;
const PLAIN = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** @param at UTC with microseconds */
export function writeSyncPoint(at: string, transaction: string): string {
  return `${at.slice(0, -1)}${transaction.padStart(TRANSACTION_DIGITS, '0')}Z`;
}

/** Null for a text that is no time which every part of the service can store. */
export function readSyncPoint(text: string): SyncPoint | null {
  const [, time, transaction] = WITH_TRANSACTION.exec(text) ?? [];
  if (time !== undefined && isStorable(text))
    return { at: `${time}Z`, transaction: String(BigInt(transaction ?? 0)) };
  return isMoment(text) ? { at: new Date(text).toISOString(), transaction: null } : null;
}

/** A date, or a time with its zone, that every part of the service can store. */
export const isMoment = (text: string): boolean => PLAIN.test(text) && isStorable(text);

const isStorable = (text: string) => text >= '1970' && text < '9999' && isTime(text);
