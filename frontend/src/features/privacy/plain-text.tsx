import { parseLinks } from './parse-links';

/** Shows plain text: paragraphs separated by blank lines, and addresses as links. No markup is interpreted. */
export function PlainText({ text, lang }: { text: string; lang: string }) {
  return (
    <div lang={lang}>
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        <p key={index} className="z-privacy-paragraph">
          {parseLinks(paragraph).map(({ text: partText, href }, partIndex) =>
            href === null ? (
              partText
            ) : (
              <a key={partIndex} href={href} rel="noreferrer">
                {partText}
              </a>
            ),
          )}
        </p>
      ))}
    </div>
  );
}
