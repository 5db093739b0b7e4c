import { TIERS } from '../../access.ts';

export const TIER_CHOICES = TIERS.map((value) => ({ value, label: value }));
