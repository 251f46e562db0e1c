/** Hands a file to the browser, which puts it where its downloads go. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of the content by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}

/** Hands the file that an answer holds to the browser, by the name that the server gave it. */
export function saveResponse(content: Blob, response: Response, fallbackName: string): void {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveFile(content, name ?? fallbackName);
}
