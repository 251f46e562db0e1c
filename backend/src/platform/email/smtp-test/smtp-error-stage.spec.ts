import { replyLine, secretEncodings, failedStageOf } from './smtp-error-stage.js';

describe('SMTP test errors', () => {
  it.each([
    [{ code: 'EDNS' }, 'resolve'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'connect'],
    [{ code: 'ETIMEDOUT', command: 'CONN' }, 'connect'],
    [{ code: 'EPROTOCOL', command: 'CONN', response: '554 no' }, 'connect'],
    [{ code: 'ETLS', command: 'STARTTLS' }, 'tls'],
    [{ code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT', command: 'CONN' }, 'tls'],
    [{ code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID', command: 'CONN' }, 'tls'],
    [{ code: 'EAUTH', command: 'API' }, 'sign-in'],
    [{ code: 'ETIMEDOUT', command: 'AUTH PLAIN' }, 'sign-in'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM' }, 'sender'],
    [{ code: 'EENVELOPE', command: 'RCPT TO' }, 'recipient'],
    [{ code: 'EMESSAGE', command: 'DATA' }, 'sender'],
    [undefined, 'connect'],
  ])('%j fail at the stage %s', (error, stage) => expect(failedStageOf(error)).toBe(stage));

  it('show one SMTP reply line and nothing else of the response', () => {
    expect(replyLine('550-5.1.1 Unknown\r\n550 more of it')).toBe('550-5.1.1 Unknown');
    expect(replyLine('250 fine\u0007\u202e gone')).toBe('250 fine  gone');
    expect(replyLine(`550 ${'x'.repeat(900)}`)).toHaveLength(200);
    for (const other of ['SSH-2.0-OpenSSH', 'HTTP/1.1 200 OK', '-ERR unknown', '200OK', '', undefined, 7]) {
      expect(replyLine(other)).toBeNull();
    }
  });

  it('redact the password in every encoding that is sent', () => {
    const forms = secretEncodings('me', 'secret word');
    const plain = Buffer.from('\0me\0secret word').toString('base64');
    const login = Buffer.from('secret word').toString('base64');
    expect(replyLine(`535 not "secret word", ${login}, ${plain}`, forms)).toBe('535 not "…", …, …');
    expect(replyLine('535 not this', secretEncodings('', ''))).toBe('535 not this');
  });
});
