import { linksIn } from './links-in';

/** A text as somebody wrote it: paragraphs between blank lines, and addresses as links. Nothing in it is markup. */
export function PlainText({ text, lang }: { text: string; lang: string }) {
  return (
    <div lang={lang}>
      {text.split(/\n\s*\n/).map((paragraph, at) => (
        <p key={at} className="z-privacy-paragraph">
          {linksIn(paragraph).map(({ text: words, href }, part) =>
            href === null ? (
              words
            ) : (
              <a key={part} href={href} rel="noreferrer">
                {words}
              </a>
            ),
          )}
        </p>
      ))}
    </div>
  );
}
