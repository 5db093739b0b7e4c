import type { Clock } from '../system.ts';

const FAULTS_TO_OPEN = 3;
const OPEN_MS = 30_000;

export interface BreakerChange {
  state: 'open' | 'closed';
}

/** After three faults in a row the remote geocoder is left alone for 30 s; then it is tripped until it answers. */
export function remoteBreaker(clock: Clock, onChange: (change: BreakerChange) => void) {
  let faults = 0;
  let openUntil = 0;
  const isTripped = () => faults >= FAULTS_TO_OPEN;
  return {
    isTripped,
    isOpen: () => isTripped() && clock.now() < openUntil,
    close(): void {
      if (isTripped()) onChange({ state: 'closed' });
      faults = 0;
    },
    countFault(): void {
      faults += 1;
      openUntil = clock.now() + OPEN_MS;
      if (faults === FAULTS_TO_OPEN) onChange({ state: 'open' });
    },
  };
}
