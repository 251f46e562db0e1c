import { useParams } from 'react-router';
import { $api, api, type Schema } from '../../shared/api/client';
import { preloadedResponse } from '../../shared/api/preloaded-response';
import { useLanguage } from '../../shared/hooks/use-format';
import { JoinScreen } from './components/join-screen';
import { fromTemporaryLink, type SubmitJoin } from './join-target';

/** /zone/temp/{token}: the page of a temporary link to a private zone. */
export function TemporaryJoinPage() {
  const { token = '' } = useParams();
  const path = { token };
  const language = useLanguage();
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/temporary-links/{token}',
    { params: { path }, headers: { 'Accept-Language': language } },
    { initialData: () => preloadedResponse<Schema<'TemporaryLinkInfoDto'>>(`/api/temporary-links/${token}`) },
  );
  const submitJoin: SubmitJoin = async (request) => {
    const response = await api.POST('/api/temporary-links/{token}/join', { params: { path }, body: request });
    return response.data!;
  };
  const target = data && fromTemporaryLink(data);
  return <JoinScreen kind="temporary" target={target} error={error} onRetry={refetch} onJoin={submitJoin} />;
}
