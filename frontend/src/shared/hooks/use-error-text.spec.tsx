import { screen } from '@testing-library/react';
import { renderComponent } from '../../../test/render';
import { toApiError } from '../api/api-error';
import { proxyBodyLimit } from '../api/proxy-body-limit';
import { useErrorText } from './use-error-text';

function ErrorText({ error }: { error: unknown }) {
  return <p>{useErrorText()(error)}</p>;
}

afterEach(() => proxyBodyLimit.reset());

describe('Error text for requests rejected by a proxy', () => {
  it.each([
    ['en', /^A server in front of this site accepts at most about 1\.0 MB at a time\./],
    ['tr', /^Bu sitenin önündeki bir sunucu tek seferde en fazla yaklaşık 1,0 MB kabul ediyor\./],
  ] as const)('states the size that is likely accepted (%s)', async (language, sentence) => {
    const error = toApiError(413, '<h1>413 Request Entity Too Large</h1>', null, null, 3 * 2 ** 20);
    await renderComponent(<ErrorText error={error} />, { language });
    expect(screen.getByText(sentence)).toBeInTheDocument();
  });

  it('states no size when the size of the request is unknown', async () => {
    await renderComponent(<ErrorText error={toApiError(413, '')} />);
    expect(screen.getByText(/^This is larger than a server in front of this site accepts\./)).toBeInTheDocument();
  });
});
