import { serve } from '../../../lib/http/serve.ts';
import { getMedia } from '../../../lib/images/routes.ts';

export default serve(getMedia);
