import { useParams } from 'react-router';
import { $api, api, type Schema } from '../../shared/api/client';
import { preloadedResponse } from '../../shared/api/preloaded-response';
import { useLanguage } from '../../shared/hooks/use-format';
import { JoinScreen } from './components/join-screen';
import { fromPublicZone, type SubmitJoin } from './join-target';

/** /join/{publicLink}: the page that people see first when they follow a public zone's link. */
export function JoinPage() {
  const { publicLink = '' } = useParams();
  const path = { publicLink };
  const language = useLanguage();
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/public-zones/{publicLink}',
    // The consent text depends on the language, so each language is cached separately.
    { params: { path }, headers: { 'Accept-Language': language } },
    { initialData: () => preloadedResponse<Schema<'PublicZoneDto'>>(`/api/public-zones/${publicLink}`) },
  );
  const submitJoin: SubmitJoin = async ({ email, emailConsent }) => {
    const body = { email, emailConsent };
    const response = await api.POST('/api/public-zones/{publicLink}/join', { params: { path }, body });
    return response.data!;
  };
  const target = data && fromPublicZone(data);
  return <JoinScreen kind="public" target={target} error={error} onRetry={refetch} onJoin={submitJoin} />;
}
