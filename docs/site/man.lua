-- man.lua - a page of Markdown as a manual page: under NAME what the environment says (PAGE_NAME, PAGE_ABOUT), then its
-- text; links as their text, tables as lists, the first column what is listed.
function Link(link)
  return link.content
end

function Code(code)
  return pandoc.Strong({pandoc.Str(code.text)})
end

function Table(full)
  local rows = pandoc.utils.to_simple_table(full)
  local items = {}
  for _, row in ipairs(rows.rows) do
    local said = pandoc.utils.blocks_to_inlines(row[2] or {})
    for column = 3, #row do
      local cell = pandoc.utils.blocks_to_inlines(row[column])
      if #cell > 0 then
        said:extend({pandoc.Str("."), pandoc.Space(), pandoc.Emph(pandoc.utils.blocks_to_inlines(rows.headers[column])),
                     pandoc.Str(":"), pandoc.Space()})
        said:extend(cell)
      end
    end
    items[#items + 1] = {pandoc.utils.blocks_to_inlines(row[1]), {{pandoc.Plain(said)}}}
  end
  return pandoc.DefinitionList(items)
end

function Pandoc(doc)
  local about = os.getenv("PAGE_NAME") .. " - " .. os.getenv("PAGE_ABOUT")
  doc.blocks[1] = pandoc.Header(1, "DESCRIPTION")
  table.insert(doc.blocks, 1, pandoc.Para({pandoc.Str(about)}))
  table.insert(doc.blocks, 1, pandoc.Header(1, "NAME"))
  return doc
end
