import { TIERS } from '../../ports/accounts/accounts.ts';

export const TIER_CHOICES = TIERS.map((value) => ({ value, label: value }));
