import { serve } from '../../lib/http/serve.ts';
import { cronHousekeeping } from '../../lib/jobs/cron-jobs.ts';

export default serve(cronHousekeeping);
