import type { Document } from 'yaml';

/** A YAML text after a change of what is in it; comments stay. Throws where the text cannot be read. */
export async function changeYaml(
  text: string,
  change: (document: Document.Parsed) => void,
): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  change(document);
  return document.toString({ lineWidth: 0 });
}
