/** Who may list, create, change, rotate and revoke the keys of an account. No key may do any of it. */
export const KEY_MANAGERS = {
  /**
   * In the dashboard: an owner; what changes a key, its rotation too, asks for a sign-in of the last 15 minutes (`sensitive`).
   * Members see publishable keys, in the widget's tag, and no others;
   * an operator who looks at the account sees them all and changes nothing.
   */
  page: 'owner',
  /** At /api/admin/keys: who has ADMIN_TOKEN. Lists, creates and revokes; it rotates and changes none. */
  route: 'operator',
} as const;
