import { postTestLead } from '../../../../lib/endpoints/dealers.ts';
import { serve } from '../../../../lib/http/serve.ts';

export default serve(postTestLead);
