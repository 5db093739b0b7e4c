import { serve } from '../../lib/http/serve.ts';
import { cronDue } from '../../lib/jobs/cron-jobs.ts';

export default serve(cronDue);
