import { getIssues } from '../../lib/endpoints/issues/issues.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(getIssues);
