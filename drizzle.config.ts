import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./drizzle/schema.ts', './drizzle/people.ts', './drizzle/alerts.ts'],
  out: './drizzle',
});
